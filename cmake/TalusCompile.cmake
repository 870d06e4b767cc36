# How long a build takes: a cache of compiled objects, and optimisation where it pays.

# ccache serves every clone of the project: paths below the source folder count as relative ones.
find_program(TALUS_CCACHE ccache)
mark_as_advanced(TALUS_CCACHE)
if(TALUS_CCACHE AND PROJECT_IS_TOP_LEVEL)
  foreach(language IN ITEMS C CXX CUDA)
    if(NOT CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_CURRENT_SOURCE_DIR}
                                              CCACHE_NOHASHDIR=1 ${TALUS_CCACHE})
    endif()
  endforeach()
endif()

# talus_compile_quickly(target...): for tests, command lines and reports, which spend their time in the library. They
# compile in half of the time with -O1, and the inlining of small functions costs a tenth of that. The library, kernels
# and measured loops keep CMake's -O3.
# talus_compile_files_quickly(file...): the same for single files of a target.
set(talus_quickly $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1;-finline-small-functions>)
function(talus_compile_quickly)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE ${talus_quickly})
  endforeach()
endfunction()
function(talus_compile_files_quickly)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${talus_quickly}")
endfunction()
