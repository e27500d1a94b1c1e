/** The configuration properties under {@code credential}, and their rules. */
@NullMarked
package io.credential.spring.autoconfigure.properties;

import org.jspecify.annotations.NullMarked;
