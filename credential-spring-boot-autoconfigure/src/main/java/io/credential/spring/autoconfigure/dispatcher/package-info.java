/** The dispatcher of outgoing webhooks, and its life in the context. */
@NullMarked
package io.credential.spring.autoconfigure.dispatcher;

import org.jspecify.annotations.NullMarked;
