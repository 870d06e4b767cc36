// Catch2, whichever of its two generations is installed.
#pragma once

#ifdef TALUS_CATCH2_IS_A_LIBRARY
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
