/** The first page of the console. */
@NullMarked
package io.credential.spring.console.internal.overview;

import org.jspecify.annotations.NullMarked;
