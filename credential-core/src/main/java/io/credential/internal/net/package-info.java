/** IP addresses and ranges of them, without the network. Uses nothing of the other packages; any of them may use it. */
@NullMarked
package io.credential.internal.net;

import org.jspecify.annotations.NullMarked;
