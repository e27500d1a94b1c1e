/** Web pages to monitor and manage webhooks and API keys. */
@NullMarked
package io.credential.spring.console;

import org.jspecify.annotations.NullMarked;
