/** Runs observations whose failures do not reach the observed operation. */
@NullMarked
package io.credential.observation.internal;

import org.jspecify.annotations.NullMarked;
