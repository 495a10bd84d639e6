// The `direct` path over 8-bit planes: see direct.cuh.
#include "direct.cuh"

DIRECT_ENTRIES(u8, unsigned char)
