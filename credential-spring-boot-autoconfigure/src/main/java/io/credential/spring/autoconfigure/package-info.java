/** Binds the properties, and defines bean qualifiers and lifecycle phases. The sub-packages configure the features. */
@NullMarked
package io.credential.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
