//! Threads that work behind the window: they leave the processor to the frames.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// Niceness of such a thread beside that of the program. A core is shared about 3 : 1 with a frame of the window; an idle core is
/// used as by any other thread.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 5;

/// Gives the processor to other threads of the program where both want it. Linux has a niceness of each thread; elsewhere this does
/// nothing.
pub(crate) fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICENESS) {
        log::debug!("a background thread keeps its priority: {error}");
    }
}

/// A pool of `threads` threads of lower priority.
///
/// # Errors
/// Where the system gives no threads.
pub(crate) fn pool(threads: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(threads).start_handler(|_| lower_priority()).build()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn threads_of_a_pool_are_nicer_than_the_thread_that_builds_it() {
        let niceness = || rustix::process::getpriority_process(None).expect("a niceness");
        let own = niceness();
        let found = pool(2).expect("a pool").broadcast(|_| niceness());
        assert_eq!(found, [(own + NICENESS).min(19); 2]);
        assert_eq!(niceness(), own);
    }
}
