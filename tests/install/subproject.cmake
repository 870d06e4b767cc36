# Configures a project that has Talus as a subproject.
set(ENV{CMAKE_BUILD_TYPE})
file(REMOVE_RECURSE ${WORK})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/subproject -B ${WORK} -G ${GENERATOR}
                        -DTALUS_SOURCE=${SOURCE} -DTALUS_CUDA=${CUDA} -DCMAKE_CXX_COMPILER=${CXX}
                        -DCMAKE_C_COMPILER=${CC}
                COMMAND_ERROR_IS_FATAL ANY)
