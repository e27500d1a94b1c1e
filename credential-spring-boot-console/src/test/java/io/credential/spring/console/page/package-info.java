/** Tests of pages and actions through Spring MVC and Spring Security, without a server and a browser. */
@NullMarked
package io.credential.spring.console.page;

import org.jspecify.annotations.NullMarked;
