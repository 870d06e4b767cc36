# src/version.cpp, and what it is compiled with: how this build is configured, and the commit, looked up in each build.
set(TALUS_COMMIT "" CACHE STRING "The commit that is built, if git is not to be asked")
set(talus_commit_include ${CMAKE_CURRENT_BINARY_DIR}/commit)
add_custom_target(talus_commit
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR} -DCOMMIT=${TALUS_COMMIT}
          -DOUTPUT=${talus_commit_include}/talus_commit.hpp -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/TalusCommit.cmake
  BYPRODUCTS ${talus_commit_include}/talus_commit.hpp COMMENT "Looking up the commit" VERBATIM)
add_dependencies(talus_common talus_commit)

list(JOIN TALUS_LANES_ISAS ", " isas)
list(JOIN TALUS_PRECISIONS "|" built)
set(precisions s d c z)  # in this order
list(FILTER precisions INCLUDE REGEX "^(${built})$")
list(JOIN precisions ", " precisions)
set(backends "host (${isas})")
if(TALUS_WITH_CUDA)
  list(JOIN CMAKE_CUDA_ARCHITECTURES ", " architectures)
  string(REPLACE "-real" "" architectures "${architectures}")
  string(APPEND backends ", cuda (compute capability ${architectures}, CUDA ${CMAKE_CUDA_COMPILER_VERSION})")
endif()
get_property(folders GLOBAL PROPERTY TALUS_TABLE_FOLDERS)
list(APPEND folders generic host)
list(REMOVE_DUPLICATES folders)
list(JOIN folders ", " folders)
set(definitions "TALUS_BACKENDS=\"${backends}\"" "TALUS_PRECISIONS=\"${precisions}\""
                "TALUS_TABLE_FOLDERS=\"${folders}\"")
set_source_files_properties(src/version.cpp PROPERTIES INCLUDE_DIRECTORIES ${talus_commit_include}
                            COMPILE_DEFINITIONS "${definitions}")
