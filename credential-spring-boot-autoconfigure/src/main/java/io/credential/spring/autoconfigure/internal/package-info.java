/** Lifecycle phases that the features share. The sub-packages contain what several features use. */
@NullMarked
package io.credential.spring.autoconfigure.internal;

import org.jspecify.annotations.NullMarked;
