//! The weights of methods as CUDA kernels read them, kept for the methods seen last. They follow from the method alone.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use super::kernel_curve::KernelCurve;
use super::weight_polynomials::WeightPolynomials;
use crate::sampling::{Method, MethodKernel};

/// Kept methods: more than a window shows at once, and few enough for tables of 65,536 rows.
const MAX_KEPT: usize = 64;

type Kept<T> = LazyLock<Mutex<HashMap<Method, Option<Arc<T>>>>>;

/// The weights of `method` by the fraction of a position; `None` if no CUDA kernel evaluates them.
pub(crate) fn polynomials(method: Method) -> Option<Arc<WeightPolynomials>> {
    static KEPT: Kept<WeightPolynomials> = LazyLock::new(Mutex::default);
    kept(&KEPT, method, WeightPolynomials::new)
}

/// The kernel of `method` over its support; `None` if it is neither smooth between few kinks nor straight between many.
pub(crate) fn kernel_curve(method: Method) -> Option<Arc<KernelCurve>> {
    static KEPT: Kept<KernelCurve> = LazyLock::new(Mutex::default);
    kept(&KEPT, method, KernelCurve::new)
}

fn kept<T>(kept: &Kept<T>, method: Method, make: impl FnOnce(&MethodKernel) -> Option<T>) -> Option<Arc<T>> {
    // A thread that panicked leaves a whole map.
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.len() >= MAX_KEPT && !kept.contains_key(&method) {
        kept.clear();
    }
    kept.entry(method).or_insert_with(|| make(&method.kernel()).map(Arc::new)).clone()
}
