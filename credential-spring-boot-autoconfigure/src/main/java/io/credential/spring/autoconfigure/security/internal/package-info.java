/** The scopes that methods and their classes require. */
@NullMarked
package io.credential.spring.autoconfigure.security.internal;

import org.jspecify.annotations.NullMarked;
