/** Sends webhooks that configured signers sign, without the dispatcher. */
@NullMarked
package io.credential.spring.autoconfigure.sender;

import org.jspecify.annotations.NullMarked;
