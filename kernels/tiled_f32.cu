// The `tiled` path over single-precision planes: see tiled.cuh.
#include "tiled.cuh"

TILED_ENTRIES(f32, float)
