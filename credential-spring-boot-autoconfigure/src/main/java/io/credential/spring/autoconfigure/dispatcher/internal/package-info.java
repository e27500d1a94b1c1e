/** Measures the backlog of the dispatcher. */
@NullMarked
package io.credential.spring.autoconfigure.dispatcher.internal;

import org.jspecify.annotations.NullMarked;
