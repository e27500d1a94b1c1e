/** Stores the ids of accepted requests, so that each request is accepted once. */
@NullMarked
package io.credential.webhook.replay;

import org.jspecify.annotations.NullMarked;
