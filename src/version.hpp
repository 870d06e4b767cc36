// What the programs of this project ask beyond talus/version.h.
#pragma once

namespace talus {

/// The commit that was built, as git describes it; "release" where there is no checkout.
extern const char* const commit;

}  // namespace talus
