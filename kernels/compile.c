/* Compiles one CUDA source to PTX with NVRTC, giving the same bytes every time.
 *
 *     compile FOLDER_OF_NVRTC SOURCE HEADER... -- OPTION... > PTX
 *
 * NVRTC 12.0 breaks ties (in register allocation, among others) by the addresses of its own objects, and the system
 * draws those anew for every process. So here NVRTC's allocations come from one range of addresses, the same in every
 * process, in the order in which it asks for them, and start from an empty heap whatever was allocated before it.
 *
 * Exit codes: 0, PTX on the standard output; 1, the log or the cause on the standard error, warnings included.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* --- The heap: power-of-two blocks, freed ones taken again last first --- */

#define HEAP ((char *)0x200000000000)
#define HEAP_BYTES (1L << 36)
/* Where NVRTC's blocks start; what is needed to load it lies below. */
#define NVRTC_HEAP (HEAP + (1L << 32))
#define ALIGNMENT 16

/* What precedes each block. */
struct header {
  size_t bits;         /* the block holds 1 << bits bytes */
  struct header *next; /* the next free block of this size */
};
_Static_assert(sizeof(struct header) == ALIGNMENT, "blocks follow their header and are aligned");

static char *end_of_heap;
static struct header *free_blocks[64];
static char locked;

static void lock(void) {
  while (__atomic_test_and_set(&locked, __ATOMIC_ACQUIRE)) {
  }
}

static void unlock(void) { __atomic_clear(&locked, __ATOMIC_RELEASE); }

static struct header *header_of(void *block) { return (struct header *)block - 1; }

static void *allocate(size_t bytes, size_t alignment) {
  size_t bits = bytes <= 32 ? 5 : 64 - (size_t)__builtin_clzl(bytes - 1);
  void *block = NULL;
  lock();
  if (end_of_heap == NULL) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    if (mmap(HEAP, HEAP_BYTES, PROT_READ | PROT_WRITE, flags, -1, 0) != HEAP) {
      static const char cause[] = "compile: the heap's addresses are taken\n";
      _exit(write(STDERR_FILENO, cause, sizeof cause - 1) < 0 ? 2 : 1);
    }
    end_of_heap = HEAP;
  }
  if (alignment <= ALIGNMENT && free_blocks[bits] != NULL) {
    struct header *header = free_blocks[bits];
    free_blocks[bits] = header->next;
    block = header + 1;
  } else {
    uintptr_t start = (uintptr_t)end_of_heap + sizeof(struct header);
    start = (start + alignment - 1) / alignment * alignment;
    if (bits < 36 && start + (1UL << bits) <= (uintptr_t)HEAP + HEAP_BYTES) {
      block = (void *)start;
      header_of(block)->bits = bits;
      end_of_heap = (char *)start + (1UL << bits);
    }
  }
  unlock();
  if (block == NULL) errno = ENOMEM;
  return block;
}

void *malloc(size_t bytes) { return allocate(bytes, ALIGNMENT); }

void free(void *block) {
  if (block == NULL) return;
  lock();
  /* What was allocated before NVRTC's heap was opened must not change it. */
  if ((char *)block >= NVRTC_HEAP || end_of_heap < NVRTC_HEAP) {
    struct header *header = header_of(block);
    header->next = free_blocks[header->bits];
    free_blocks[header->bits] = header;
  }
  unlock();
}

void *calloc(size_t count, size_t bytes) {
  size_t all;
  if (__builtin_mul_overflow(count, bytes, &all)) {
    errno = ENOMEM;
    return NULL;
  }
  void *block = malloc(all);
  return block == NULL ? NULL : memset(block, 0, all);
}

void *realloc(void *block, size_t bytes) {
  if (block == NULL) return malloc(bytes);
  size_t held = 1UL << header_of(block)->bits;
  if (bytes <= held) return block;
  void *larger = malloc(bytes);
  if (larger != NULL) {
    memcpy(larger, block, held);
    free(block);
  }
  return larger;
}

void *aligned_alloc(size_t alignment, size_t bytes) {
  return allocate(bytes, alignment < ALIGNMENT ? ALIGNMENT : alignment);
}

void *memalign(size_t alignment, size_t bytes) { return aligned_alloc(alignment, bytes); }

int posix_memalign(void **block, size_t alignment, size_t bytes) {
  *block = aligned_alloc(alignment, bytes);
  return *block == NULL ? ENOMEM : 0;
}

size_t malloc_usable_size(void *block) { return block == NULL ? 0 : 1UL << header_of(block)->bits; }

static void open_heap_of_nvrtc(void) {
  lock();
  memset(free_blocks, 0, sizeof free_blocks);
  end_of_heap = NVRTC_HEAP;
  unlock();
}

/* --- The compiler --- */

static void fail(const char *what, const char *cause) {
  fprintf(stderr, "%s: %s\n", what, cause);
  exit(1);
}

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) fail(path, strerror(errno));
  char *text = NULL;
  size_t bytes = 0, read = 0;
  do {
    text = realloc(text, bytes + (1 << 16) + 1);
    if (text == NULL) fail(path, strerror(errno));
    read = fread(text + bytes, 1, 1 << 16, file);
    bytes += read;
  } while (read > 0);
  if (ferror(file)) fail(path, "cannot be read");
  text[bytes] = 0;
  fclose(file);
  return text;
}

static const char *name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

static void *load(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL) fail(path, dlerror());
  return library;
}

static void *symbol(void *library, const char *name) {
  void *address = dlsym(library, name);
  if (address == NULL) fail(name, dlerror());
  return address;
}

int main(int count, char **arguments) {
  if (count < 4) fail("compile", "FOLDER_OF_NVRTC SOURCE HEADER... -- OPTION...");
  const char *source = arguments[2];
  char **headers = arguments + 3;
  int header_count = 0;
  while (headers[header_count] != NULL && strcmp(headers[header_count], "--") != 0) header_count++;
  if (headers[header_count] == NULL) fail("compile", "-- is missing");
  char **options = headers + header_count + 1;
  int option_count = (int)(arguments + count - options);

  load(arguments[1], "libnvrtc-builtins.so.12.0");
  void *nvrtc = load(arguments[1], "libnvrtc.so.12");
  int (*version)(int *, int *) = symbol(nvrtc, "nvrtcVersion");
  int (*create)(void **, const char *, const char *, int, char **, char **) = symbol(nvrtc, "nvrtcCreateProgram");
  int (*compile)(void *, int, char **) = symbol(nvrtc, "nvrtcCompileProgram");
  int (*log_size)(void *, size_t *) = symbol(nvrtc, "nvrtcGetProgramLogSize");
  int (*get_log)(void *, char *) = symbol(nvrtc, "nvrtcGetProgramLog");
  int (*ptx_size)(void *, size_t *) = symbol(nvrtc, "nvrtcGetPTXSize");
  int (*get_ptx)(void *, char *) = symbol(nvrtc, "nvrtcGetPTX");
  const char *(*error)(int) = symbol(nvrtc, "nvrtcGetErrorString");

  int major = 0, minor = 0;
  version(&major, &minor);
  if (major != 12 || minor != 0) fail("compile", "NVRTC 12.0 is needed, another version is installed");

  open_heap_of_nvrtc();
  char *text = read_file(source);
  char **texts = calloc((size_t)header_count + 1, sizeof *texts);
  char **names = calloc((size_t)header_count + 1, sizeof *names);
  for (int i = 0; i < header_count; i++) {
    texts[i] = read_file(headers[i]);
    names[i] = strdup(name_of(headers[i]));
  }
  void *program = NULL;
  int result = create(&program, text, name_of(source), header_count, texts, names);
  if (result != 0) fail(source, error(result));

  result = compile(program, option_count, options);
  size_t bytes = 0;
  if (log_size(program, &bytes) == 0 && bytes > 1) {
    char *log = calloc(bytes, 1);
    get_log(program, log);
    fail(source, log);
  }
  if (result != 0) fail(source, error(result));

  result = ptx_size(program, &bytes);
  if (result != 0) fail(source, error(result));
  char *ptx = calloc(bytes, 1);
  result = get_ptx(program, ptx);
  if (result != 0) fail(source, error(result));
  if (fputs(ptx, stdout) < 0 || fflush(stdout) != 0) fail("the standard output", strerror(errno));
  return 0;
}
