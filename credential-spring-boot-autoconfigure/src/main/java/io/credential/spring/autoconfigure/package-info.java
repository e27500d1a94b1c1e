/** Binds the properties, and defines bean qualifiers. The sub-packages configure the features. */
@NullMarked
package io.credential.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
