# The tables of tuned lines that are compiled in: of every folder of TALUS_TABLES whose GPU belongs to the compute
# capabilities asked for, and the generic one last. For each routine with tables a file <routine>_tables.inc that
# includes them is written to TALUS_TABLES_INCLUDE.
set(TALUS_TABLES_INCLUDE ${CMAKE_CURRENT_BINARY_DIR}/tables)
set(talus_own_tables ${CMAKE_CURRENT_SOURCE_DIR}/autotune/tables)

# Reads name and compute capability off a table's TALUS_TABLE(name, "GPU", capability).
function(talus_read_table_head file name capability)
  file(STRINGS ${file} head REGEX "^TALUS_TABLE\\(")
  if(NOT head MATCHES "^TALUS_TABLE\\(([A-Za-z0-9_]+), *\"[^\"]*\", *([0-9]+)\\)$")
    message(FATAL_ERROR "${file}: no line TALUS_TABLE(name, \"GPU\", capability), or more than one")
  endif()
  set(${name} ${CMAKE_MATCH_1} PARENT_SCOPE)
  set(${capability} ${CMAKE_MATCH_2} PARENT_SCOPE)
endfunction()

function(talus_gather_tables routine)
  file(GLOB files CONFIGURE_DEPENDS ${TALUS_TABLES}/*/${routine}.inc)
  set(generic ${TALUS_TABLES}/generic/${routine}.inc)
  if(NOT EXISTS ${generic})
    set(generic ${talus_own_tables}/generic/${routine}.inc)
  endif()
  list(REMOVE_ITEM files ${generic} ${TALUS_TABLES}/host/${routine}.inc)
  set(includes "// Written by CMake: the tables of ${TALUS_TABLES} for the compute capabilities of this build.\n")
  set(names "")
  string(REGEX REPLACE "-[a-z]+|a|f" "" architectures "${CMAKE_CUDA_ARCHITECTURES}")  # 90a-real is 90
  foreach(file IN LISTS files)
    talus_read_table_head(${file} name capability)
    if(NOT capability IN_LIST architectures AND architectures MATCHES "^[0-9;]+$")  # else: native, all
      continue()
    endif()
    string(APPEND includes "#include \"${file}\"\n")
    list(APPEND names ${name})
  endforeach()
  if(TALUS_FIGURES AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/bench/figures/${routine}.inc)
    string(APPEND includes "#include \"${CMAKE_CURRENT_SOURCE_DIR}/bench/figures/${routine}.inc\"\n")
    list(APPEND names figures)
  endif()
  talus_read_table_head(${generic} name capability)
  string(APPEND includes "#include \"${generic}\"\n")
  file(CONFIGURE OUTPUT ${TALUS_TABLES_INCLUDE}/${routine}_tables.inc CONTENT "${includes}" @ONLY)
  list(APPEND names generic)
  list(JOIN names ", " names)
  message(STATUS "Talus: tables for ${routine}: ${names}")
endfunction()

# The host's table has lines of another kind.
function(talus_gather_host_table routine)
  set(file ${TALUS_TABLES}/host/${routine}.inc)
  if(NOT EXISTS ${file})
    set(file ${talus_own_tables}/host/${routine}.inc)
  endif()
  file(CONFIGURE OUTPUT ${TALUS_TABLES_INCLUDE}/host_${routine}.inc CONTENT "#include \"${file}\"\n" @ONLY)
endfunction()
