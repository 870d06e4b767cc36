# A script: writes OUTPUT, a header that defines TALUS_COMMIT, where it would change. COMMIT says which, or else the
# git checkout that SOURCE is; without one it is a release.
cmake_minimum_required(VERSION 3.21)
if(NOT COMMIT)
  if(EXISTS ${SOURCE}/.git)
    find_program(git git)
    if(git)
      execute_process(COMMAND ${git} --no-optional-locks describe --always --dirty --abbrev=12
                      WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE COMMIT ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    endif()
    if(NOT COMMIT)
      set(COMMIT "unknown")
    endif()
  else()
    set(COMMIT "release")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define TALUS_COMMIT \"@COMMIT@\"\n" @ONLY)
