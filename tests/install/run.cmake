# Installs the build into a fresh prefix, as a whole and by components, then configures, builds and runs the outside
# projects against it, and compiles their sources as pkg-config says.
function(run)  # no argument may hold a semicolon
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
endfunction()

function(run_outside_project source)
  get_filename_component(name ${source} NAME)
  run(${CMAKE_COMMAND} -S ${source} -B ${WORK}/build-${name} -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${WORK}/prefix
      -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_C_COMPILER=${CC})
  run(${CMAKE_COMMAND} --build ${WORK}/build-${name})
  foreach(user IN LISTS ARGN)
    run(${WORK}/build-${name}/${user})
  endforeach()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run_outside_project(${SOURCE} shared_user static_user c_user)
run_outside_project(${SOURCE}/c c_talus_user c_static_user)
file(GLOB links ${WORK}/prefix/lib*/libtalus.so.0 ${WORK}/prefix/lib*/*/libtalus.so.0)
if(NOT links)
  message(FATAL_ERROR "no libtalus.so.0 was installed")
endif()

# ---- pkg-config: what was installed, moved elsewhere ----------------------------------------------------------------
find_program(pkg_config NAMES pkg-config pkgconf)
function(run_plain name compiler source kind)  # and further flags
  run(sh -c "flags=$('${pkg_config}' ${kind} --cflags --libs talus) && \
'${compiler}' '${source}' ${ARGN} $flags -o '${WORK}/${name}' && '${WORK}/${name}'")
endfunction()
if(pkg_config)
  file(COPY ${WORK}/prefix/ DESTINATION ${WORK}/moved)
  file(GLOB_RECURSE file ${WORK}/moved/*/talus.pc)
  get_filename_component(pc_folder ${file} DIRECTORY)
  get_filename_component(lib_folder ${pc_folder} DIRECTORY)
  file(READ ${file} text)
  if(text MATCHES "${WORK}")
    message(FATAL_ERROR "talus.pc names a folder that can be moved:\n${text}")
  endif()
  set(ENV{PKG_CONFIG_PATH} ${pc_folder})
  set(ENV{LD_LIBRARY_PATH} ${lib_folder})
  run_plain(plain_c ${CC} ${SOURCE}/main.c "")
  run_plain(plain_cxx ${CXX} ${SOURCE}/main.cpp "" -std=c++17)
  file(GLOB shared ${lib_folder}/libtalus.so*)
  file(REMOVE ${shared})  # the archive is left
  run_plain(plain_static_c ${CC} ${SOURCE}/main.c --static)
  run_plain(plain_static_cxx ${CXX} ${SOURCE}/main.cpp --static -std=c++17)
else()
  message(STATUS "pkg-config is not here: talus.pc was not tested")
endif()

# ---- components: each file belongs to one, the shared library alone to runtime ---------------------------------------
file(GLOB_RECURSE expected RELATIVE ${WORK}/prefix ${WORK}/prefix/*)
set(found "")
foreach(component IN ITEMS runtime development tools python)
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/${component} --component ${component})
  file(GLOB_RECURSE ${component} RELATIVE ${WORK}/${component} ${WORK}/${component}/*)
  list(APPEND found ${${component}})
endforeach()
foreach(pair IN ITEMS "runtime;libtalus[.]so[.]0[^/]*$|share/doc/talus/(LICENSE|README.md)$"
                      "development;include/talus/|cmake/Talus/|libtalus[.](a|so)$|pkgconfig/talus[.]pc$"
                      "tools;bin/talus-|share/(talus|bash-completion|zsh|fish)/" "python;/talus/")
  list(GET pair 0 component)
  list(GET pair 1 belongs)
  list(FILTER ${component} EXCLUDE REGEX "${belongs}")
  if(${component})
    message(FATAL_ERROR "files that do not belong into component ${component}: ${${component}}")
  endif()
endforeach()
list(SORT expected)
list(SORT found)
if(NOT found STREQUAL expected)
  message(FATAL_ERROR "the components have\n${found}\nbut all together is\n${expected}")
endif()
message(STATUS "projects of C++ and of C alone build and run against the installed package")
