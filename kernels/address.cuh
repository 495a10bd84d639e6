// Twin: src/sampling/address.rs (and Axis::stored in src/sampling/axis.rs). Address modes give indices and know no method.
#pragma once
#include "arguments.cuh"

// index mod len, never negative.
__device__ inline int remainder_of(int index, int len) {
    int rest = index % len;
    return rest < 0 ? rest + len : rest;
}

// The stored value that `index` means among 0 … len−1, or len where it means the border's constant.
__device__ inline int resolve(int mode, int index, int len) {
    if (index >= 0 && index < len) return index;
    switch (mode) {
        case CLAMP: return index < 0 ? 0 : len - 1;
        case BORDER: return len;
        case WRAP: return remainder_of(index, len);
        default: {
            int folded = remainder_of(index, 2 * len);
            return min(folded, 2 * len - 1 - folded);
        }
    }
}

// An index that means the same as `index` and lies near the plane, so that single precision holds it exactly.
__device__ inline int brought_near(int mode, int index, int len) {
    if (index >= -16 && index < len) return index;
    switch (mode) {
        case WRAP: return remainder_of(index, len);
        case MIRROR: return remainder_of(index, 2 * len);
        default: return max(-64, min(index, len + 64));
    }
}
