/** JSON and request parameters of the core's public types. */
@NullMarked
package io.credential.spring.autoconfigure.json;

import org.jspecify.annotations.NullMarked;
