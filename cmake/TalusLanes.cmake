# The host's kernels that work on one matrix per SIMD lane are compiled once per instruction set; the right one is
# chosen at run time, so one library serves every machine of its architecture.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
  set(TALUS_LANES_ISAS baseline avx2 avx512)
else()
  set(TALUS_LANES_ISAS baseline)
endif()
# TALUS_LANES=native: that of this machine alone. A library that is built so runs on no lesser one.
if(TALUS_LANES STREQUAL "native")
  if(EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
  endif()
  if(" ${flags} " MATCHES " avx512f " AND " ${flags} " MATCHES " avx512dq " AND " ${flags} " MATCHES " avx512vl "
     AND " ${flags} " MATCHES " avx512bw ")
    set(TALUS_LANES_ISAS avx512)
  elseif(" ${flags} " MATCHES " avx2 " AND " ${flags} " MATCHES " fma ")
    set(TALUS_LANES_ISAS avx2)
  else()
    set(TALUS_LANES_ISAS baseline)
  endif()
  target_compile_definitions(talus_options INTERFACE TALUS_ISA_ALONE=${TALUS_LANES_ISAS})
elseif(NOT TALUS_LANES STREQUAL "all")
  message(FATAL_ERROR "TALUS_LANES: '${TALUS_LANES}' is neither all nor native")
endif()
# Fused multiply-adds in every precision, and square roots without errno, whatever the language standard's mode says.
set(TALUS_LANES_FLAGS_baseline -ffp-contract=fast -fno-math-errno)
set(TALUS_LANES_FLAGS_avx2 ${TALUS_LANES_FLAGS_baseline} -mavx2 -mfma)
set(TALUS_LANES_FLAGS_avx512 ${TALUS_LANES_FLAGS_avx2} -mavx512f -mavx512dq -mavx512vl -mavx512bw)

macro(talus_add_lanes target type)  # and the sources
  foreach(isa IN LISTS TALUS_LANES_ISAS)
    talus_add_objects(${target}_${isa} ${ARGN})
    target_include_directories(${target}_${isa} PRIVATE ${TALUS_TABLES_INCLUDE})
    target_compile_definitions(${target}_${isa} PRIVATE "TALUS_T=${type}" TALUS_ISA=${isa})
    target_compile_options(${target}_${isa} PRIVATE ${TALUS_LANES_FLAGS_${isa}})
  endforeach()
endmacro()
