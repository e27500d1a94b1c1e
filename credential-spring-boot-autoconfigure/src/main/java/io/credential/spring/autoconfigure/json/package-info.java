/** JSON and request parameters of the core's public types in applications that have configured nothing for them. */
@NullMarked
package io.credential.spring.autoconfigure.json;

import org.jspecify.annotations.NullMarked;
