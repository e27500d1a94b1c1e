/** An application that hands out API keys and takes orders from whoever holds one. */
@NullMarked
package io.credential.sample;

import org.jspecify.annotations.NullMarked;
