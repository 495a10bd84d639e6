// The `direct` path over 16-bit planes: see direct.cuh.
#include "direct.cuh"

DIRECT_ENTRIES(u16, unsigned short)
