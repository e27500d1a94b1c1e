@NullMarked
package io.credential.apikey.internal.foreign;

import org.jspecify.annotations.NullMarked;
