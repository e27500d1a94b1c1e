package io.credential.spring.console.browser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class that looks at the console with the {@link Browser} that is given to its constructor or methods, because only a
 * browser shows what a page does. It is skipped if no browser is installed, or fails if the environment variable {@code
 * CREDENTIAL_TEST_BROWSER} is {@code required}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith({Browsers.class, Consoles.class})
@interface BrowserTest {}
