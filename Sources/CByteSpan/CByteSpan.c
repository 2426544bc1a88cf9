#include "CByteSpan.h"

/* Everything is in the header, for Swift to inline. */
