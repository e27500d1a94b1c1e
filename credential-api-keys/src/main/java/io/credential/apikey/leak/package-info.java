/** Rules with which scanners find tokens in source code. */
@NullMarked
package io.credential.apikey.leak;

import org.jspecify.annotations.NullMarked;
