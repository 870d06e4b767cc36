# A script of CPack's, before it packs what it has installed into a folder for each component: the licence of each
# Debian package, where Debian wants it.
cmake_minimum_required(VERSION 3.21)
if(CPACK_GENERATOR STREQUAL "DEB")
  foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} upper)
    set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
    configure_file(${CPACK_RESOURCE_FILE_LICENSE}
                   ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}/usr/share/doc/${package}/copyright COPYONLY)
  endforeach()
endif()
