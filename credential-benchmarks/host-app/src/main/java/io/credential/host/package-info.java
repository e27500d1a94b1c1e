/** An application that works with and without the starter. */
@NullMarked
package io.credential.host;

import org.jspecify.annotations.NullMarked;
