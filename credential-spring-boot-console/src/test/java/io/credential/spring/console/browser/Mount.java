package io.credential.spring.console.browser;

/** Where the application and the console in it are reached. */
enum Mount {
    ROOT("", ""),
    CONTEXT("/ctx", ""),
    CONTEXT_AND_SERVLET("/ctx", "/srv");

    final String contextPath;
    final String servletPath;

    Mount(String contextPath, String servletPath) {
        this.contextPath = contextPath;
        this.servletPath = servletPath;
    }
}
