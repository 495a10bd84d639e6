#!/usr/bin/env bash
# Runs the tests of compiled test programs on an NVIDIA GPU, each in a process of its own: plainly, then under
# compute-sanitizer. Prints a table of test, result, seconds and errors.
#
#     tests/gpu/sanitize.sh MINUTES PROGRAM...
#
# PROGRAM is what `cargo test --no-run --test conformance` (or gl_interop) names; of a program that has tests under `cuda::`
# only those run. MINUTES is the time for all of it: what has not begun by then is reported as "not run", and what has not
# ended as "timeout". Needs no cargo. Variables of the environment:
#   JOBS               processes at once (all cores)
#   SANITIZER          the program (compute-sanitizer, also looked for in /usr/local/cuda/bin)
#   SANITIZER_TOOLS    tools, one after the other ("memcheck"; "memcheck racecheck", "" for the plain run alone)
#   SANITIZER_OPTIONS  more options for it
#   ONLY               a pattern (grep -E) of the tests to run
# Logs stay in the folder that the last line names. The exit code is 0 where every test passed and the sanitizer found no
# error of memory. Errors of driver calls are counted apart: tests that provoke a refusal have them.
set -u -o pipefail

if [ "${1:-}" = one ]; then
    # One test, as `one MODE PROGRAM TEST`; writes a row of the table.
    mode=$2 program=$3 test=$4
    log=$FOLDER/$mode.$(basename "$program").${test//[^A-Za-z0-9_]/_}
    row() { printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$mode" "$test" "$@" >"$log.row"; }
    left=$((DEADLINE - $(date +%s)))
    if [ "$left" -le 0 ]; then
        row "not run" - - -
        exit 0
    fi
    arguments=("$program" --exact "$test" --nocapture --test-threads 1)
    if [ "$mode" != plain ]; then
        # Tests that break their device do so in a child, which is not watched.
        arguments=("$SANITIZER" --tool "$mode" --target-processes application-only --print-limit 10000
            --log-file "$log.sanitizer" $SANITIZER_OPTIONS "${arguments[@]}")
    fi
    start=$(date +%s)
    timeout --kill-after 10 "$left" "${arguments[@]}" >"$log.out" 2>&1
    code=$?
    seconds=$(($(date +%s) - start))
    result=failed
    case $code in
        0) grep -q '^test result: ok. 1 passed' "$log.out" && result=passed ;;
        124 | 137) result=timeout ;;
    esac
    memory=- calls=-
    if [ "$mode" != plain ]; then
        # racecheck ends with another line than the other tools.
        # Tests that look at tables alone call no driver: the sanitizer has nothing to attach to and says so by its exit code.
        if grep -q 'terminated before first instrumented API call' "$log.sanitizer" "$log.out" 2>/dev/null &&
            grep -q '^test result: ok. 1 passed' "$log.out"; then
            row "no CUDA" "$seconds" - -
            exit 0
        fi
        total=$(sed -n -E 's/.*(ERROR SUMMARY: |RACECHECK SUMMARY: )([0-9]+).*/\2/p' "$log.sanitizer" 2>/dev/null | tail -n 1)
        if [ -n "$total" ]; then
            calls=$(grep -c 'Program hit' "$log.sanitizer")
            memory=$((total - calls))
        else
            [ "$result" = passed ] && result="no summary"
        fi
    fi
    row "$result" "$seconds" "$memory" "$calls"
    exit 0
fi

if [ $# -lt 2 ] || ! [[ $1 =~ ^[0-9]+$ ]]; then
    sed -n '2,/^set/p' "$0" | sed -e '$d' -e 's/^# \{0,1\}//' >&2
    exit 2
fi
minutes=$1
shift
SANITIZER_TOOLS=${SANITIZER_TOOLS-memcheck}
SANITIZER=${SANITIZER:-$(PATH=$PATH:/usr/local/cuda/bin command -v compute-sanitizer || true)}
if [ -n "$SANITIZER_TOOLS" ] && ! [ -x "$SANITIZER" ]; then
    echo "compute-sanitizer is not found: name it by SANITIZER=PATH" >&2
    exit 2
fi
FOLDER=$(mktemp -d)
DEADLINE=$(($(date +%s) + 60 * minutes))
export LERPSCOPE_REQUIRE_CUDA=1 FOLDER DEADLINE SANITIZER SANITIZER_OPTIONS="${SANITIZER_OPTIONS:-}"
jobs=${JOBS:-$(nproc)}

# Each line is a program and a test.
for program in "$@"; do
    program=$(realpath "$program") || exit 2
    names=$("$program" --list --format terse | sed -n 's/: test$//p') || exit 2
    # Children are run by the tests that break their device.
    names=$(grep -v 'child_whose' <<<"$names")
    if grep -q '^cuda::' <<<"$names"; then names=$(grep '^cuda::' <<<"$names"); fi
    names=$(grep -E -e "${ONLY:-.}" <<<"$names")
    sed "s|^|$program |" <<<"$names"
done | grep ' .' >"$FOLDER/tests"
[ -s "$FOLDER/tests" ] || {
    echo "there are no such tests" >&2
    exit 2
}
# Tests that take the device's memory, or time their work, run alone.
alone='memory|frames_are_measured|every_row_is_measured'

for mode in plain $SANITIZER_TOOLS; do
    grep -v -E " .*($alone)" "$FOLDER/tests" | xargs -r -L 1 -P "$jobs" "$0" one "$mode"
    grep -E " .*($alone)" "$FOLDER/tests" | xargs -r -L 1 "$0" one "$mode"
done

{
    printf 'mode\ttest\tresult\tseconds\tmemory errors\tcall errors\n'
    cat "$FOLDER"/*.row
} | if command -v column >/dev/null; then column -t -s $'\t'; else cat; fi
count() { cut -f 3 "$FOLDER"/*.row | grep -c -x -E "$1"; }
errors=$(cut -f 5 "$FOLDER"/*.row | awk '$1 > 0 { sum += $1 } END { print sum + 0 }')
rows=$(cat "$FOLDER"/*.row | wc -l)
expected=$(($(wc -l <"$FOLDER/tests") * $(wc -w <<<"plain $SANITIZER_TOOLS")))
echo "$rows of $expected runs: $(count passed) passed, $(count 'no CUDA') of no CUDA call, $(count failed) failed, $(count 'timeout|no summary') without an end," \
    "$(count 'not run') not run; $errors errors of memory"
echo "logs: $FOLDER"
[ "$(count 'passed|no CUDA')" -eq "$expected" ] && [ "$errors" -eq 0 ]
