/** The dispatcher of outgoing webhooks and its lifecycle. */
@NullMarked
package io.credential.spring.autoconfigure.dispatcher;

import org.jspecify.annotations.NullMarked;
