/** Configures contexts of tests. */
@NullMarked
package io.credential.spring.test.autoconfigure;

import org.jspecify.annotations.NullMarked;
