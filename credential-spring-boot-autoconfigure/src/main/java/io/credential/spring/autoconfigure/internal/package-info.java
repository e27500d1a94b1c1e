/** Lifecycle phases and beans that the features share. The sub-packages contain what else several features use. */
@NullMarked
package io.credential.spring.autoconfigure.internal;

import org.jspecify.annotations.NullMarked;
