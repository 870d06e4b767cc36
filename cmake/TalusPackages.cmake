# Packages of what is installed: cpack -G DEB makes one of each component, cpack -G TGZ one of all. Debian's folders
# come with -DCMAKE_INSTALL_PREFIX=/usr (tests/packages.sh).
set(CPACK_PACKAGE_NAME talus)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # else it stands before those of the components
set(CPACK_PACKAGE_CONTACT "The Talus authors")
set(CPACK_PACKAGE_VENDOR "The Talus authors")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE)
set(CPACK_RESOURCE_FILE_README ${CMAKE_CURRENT_SOURCE_DIR}/README.md)
set(CPACK_STRIP_FILES ON)
string(TOLOWER "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" system)
set(CPACK_PACKAGE_FILE_NAME talus-${PROJECT_VERSION}-${system})
set(CPACK_SOURCE_IGNORE_FILES "/[.]git/;/build/;/__pycache__/")

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)  # each component is a package of its own
get_cmake_property(CPACK_COMPONENTS_ALL COMPONENTS)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY =)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/cmake/TalusDebian.cmake)
# libtalus.so, to which the Python modules are linked. What it belongs to, their Depends say.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_CURRENT_BINARY_DIR})

# A package of a component: its name and section, what it depends on beside what dpkg-shlibdeps finds, a line about it,
# and what it has.
macro(talus_package component name section depends about contents)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}")
  set(CPACK_DEBIAN_${upper}_DESCRIPTION
      "batched Cholesky, LU and QR of small matrices (${about})\n\
Talus factors and solves very many small dense matrices in one call, on the\nCPU or on an NVIDIA GPU.\n\n${contents}")
endmacro()
set(same "(= ${PROJECT_VERSION})")
talus_package(runtime libtalus${TALUS_SOVERSION} libs "" "shared library" "This package has the shared library.")
set(libraries "libtalus${TALUS_SOVERSION} ${same}")  # those that there are headers of
if(TALUS_BUILD_MAGMA)
  talus_package(magma libtalus-magma${TALUS_SOVERSION} libs "${libraries}" "MAGMA's names"
                "This package has the shared library that programs written against MAGMA link in\n\
its place, or ahead of it.")
  string(APPEND libraries ", libtalus-magma${TALUS_SOVERSION} ${same}")
endif()
talus_package(development libtalus-dev libdevel "${libraries}, libopenblas-dev" "development files"
              "This package has the headers for C and C++, the static library, and what\n\
CMake and pkg-config look for.")
talus_package(tools talus-tools utils "" "tools"
              "This package has talus-bench, which measures the routines beside other\n\
libraries, and talus-tune, which chooses the kernels for a GPU.")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "python3-matplotlib")
if(TALUS_BUILD_PYTHON AND talus_all_routines)
  math(EXPR next "${Python_VERSION_MINOR} + 1")
  set(python "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next})")
  talus_package(python python3-talus python "libtalus${TALUS_SOVERSION} ${same}, ${python}" "Python"
                "This package has the module talus, which takes the arrays of NumPy, PyTorch,\n\
CuPy and whatever else speaks DLPack.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-numpy")
endif()
include(CPack)
