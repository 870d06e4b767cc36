# Files of many kernels are compiled in TALUS_SHARDS parts. AUTO compiles them in one piece on a machine of few cores,
# because all parts of a file take more time than the file. From eight cores on a file has as many parts as keep each
# of them within one core's share of the whole build.
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
set(most_shards 8)  # beyond, parts add more work than they share out

# Seconds that a file takes of 100 seconds of all files of a precision, the mean of the four. Any other takes about 1.
set(talus_weight_of_batched_getrf 21)
set(talus_weight_of_vbatched_getrf 15)
set(talus_weight_of_batched_potrf 5)
set(talus_weight_of_vbatched_potrf 7)
set(talus_weight_of_batched_posv 6)
set(talus_weight_of_batched_getrf_partial_split 4)
set(talus_weight_of_vbatched_getrf_partial_split 4)

# talus_weight(variable source): of a file of kernels; 0 of any other.
function(talus_weight variable source)
  set(weight 0)
  if(source MATCHES "src/(batched|vbatched)/.*/([a-z_]+)[.]cu$")
    set(weight 1)
    set(name talus_weight_of_${CMAKE_MATCH_1}_${CMAKE_MATCH_2})
    if(DEFINED ${name})
      set(weight ${${name}})
    endif()
  endif()
  set(${variable} ${weight} PARENT_SCOPE)
endfunction()

set(weight_of_all 0)
foreach(source IN LISTS precision_sources)
  talus_weight(weight ${source})
  math(EXPR weight_of_all "${weight_of_all} + ${weight}")
endforeach()
list(LENGTH TALUS_PRECISIONS precisions)
math(EXPR weight_of_all "${weight_of_all} * ${precisions}")

if(NOT TALUS_SHARDS STREQUAL "AUTO" AND NOT TALUS_SHARDS MATCHES "^[1-9][0-9]*$")
  message(FATAL_ERROR "TALUS_SHARDS: '${TALUS_SHARDS}' is neither AUTO nor a number")
endif()

# talus_shards_of(variable source): in how many parts it is compiled.
function(talus_shards_of variable source)
  set(shards 1)
  if(source MATCHES "${TALUS_SHARDED}")
    if(NOT TALUS_SHARDS STREQUAL "AUTO")
      set(shards ${TALUS_SHARDS})
    elseif(cores GREATER_EQUAL 8)
      talus_weight(weight ${source})
      math(EXPR shards "(${weight} * ${cores} + ${weight_of_all} - 1) / ${weight_of_all}")
      if(shards GREATER most_shards)
        set(shards ${most_shards})
      endif()
    endif()
  endif()
  set(${variable} ${shards} PARENT_SCOPE)
endfunction()

# talus_with_shard(variable shard source...): the sources that have this part.
function(talus_with_shard variable shard)
  set(found "")
  foreach(source IN LISTS ARGN)
    talus_shards_of(shards ${source})
    if(shard LESS shards)
      list(APPEND found ${source})
    endif()
  endforeach()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

set(talus_in_parts OFF)
foreach(source IN LISTS precision_sources)
  talus_shards_of(shards ${source})
  if(shards GREATER 1)
    set(talus_in_parts ON)
    set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS TALUS_SHARDS=${shards})
  endif()
endforeach()
