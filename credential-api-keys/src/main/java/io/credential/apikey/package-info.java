/** API keys: issue, verify, rotate, revoke, list, purge, reseal. */
@NullMarked
package io.credential.apikey;

import org.jspecify.annotations.NullMarked;
