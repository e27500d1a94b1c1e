/** Shows the inbox to metrics and endpoints. */
@NullMarked
package io.credential.spring.autoconfigure.inbox.internal;

import org.jspecify.annotations.NullMarked;
