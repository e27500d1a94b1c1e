/** Assembles the dispatcher, and checks its options and arguments. The sub-packages contain the implementation. */
@NullMarked
package io.credential.webhook.delivery.internal;

import org.jspecify.annotations.NullMarked;
