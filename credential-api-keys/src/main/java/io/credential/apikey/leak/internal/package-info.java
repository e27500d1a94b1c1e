/** Masks tokens in logs and configuration. */
@NullMarked
package io.credential.apikey.leak.internal;

import org.jspecify.annotations.NullMarked;
