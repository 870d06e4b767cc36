# Installs a command-line tool, and what shells know of its options, which it says itself (measure/completion.hpp).
set(TALUS_ZSH_COMPLETIONS ${CMAKE_INSTALL_DATAROOTDIR}/zsh/site-functions CACHE STRING
    "Where zsh looks for completions: on Debian share/zsh/vendor-completions")
mark_as_advanced(TALUS_ZSH_COMPLETIONS)

function(talus_install_tool tool)
  set_target_properties(${tool} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS ${tool} COMPONENT tools)
  if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    return()
  endif()
  foreach(shell IN ITEMS bash zsh fish)
    set(${shell} ${CMAKE_CURRENT_BINARY_DIR}/${tool}.${shell})
    add_custom_command(OUTPUT ${${shell}} COMMAND ${tool} --completion ${shell} > ${${shell}}
                       DEPENDS ${tool} VERBATIM)
  endforeach()
  add_custom_target(${tool}-completions ALL DEPENDS ${bash} ${zsh} ${fish})
  set(data ${CMAKE_INSTALL_DATAROOTDIR})
  install(FILES ${bash} DESTINATION ${data}/bash-completion/completions RENAME ${tool} COMPONENT tools)
  install(FILES ${zsh} DESTINATION ${TALUS_ZSH_COMPLETIONS} RENAME _${tool} COMPONENT tools)
  install(FILES ${fish} DESTINATION ${data}/fish/vendor_completions.d COMPONENT tools)
endfunction()
