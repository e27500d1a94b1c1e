package io.credential.spring.library;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

import io.credential.testing.LiveThreads;

/** Starts in the class loader that loads it, and tells what is there. Mentions no library. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class LibraryApplication {

    /** Returns the beans, tables and threads of Credential, each as {@code bean:name}, or why it does not start. */
    public static Set<String> facts(String... properties) throws SQLException, ReflectiveOperationException {
        forgetHandlersOfUrls();
        Set<String> facts = new TreeSet<>();
        SpringApplication application = new SpringApplication(LibraryApplication.class);
        application.setRegisterShutdownHook(false);
        String[] arguments =
                Arrays.stream(properties).map(property -> "--" + property).toArray(String[]::new);
        try (ConfigurableApplicationContext context = application.run(arguments)) {
            Arrays.stream(context.getBeanDefinitionNames())
                    .filter(name -> name.startsWith("credential") && !name.contains("."))
                    .forEach(name -> facts.add("bean:" + name));
            for (DataSource source :
                    context.getBeanProvider(DataSource.class).stream().toList()) {
                addTables(source, facts);
            }
            LiveThreads.named("credential").stream()
                    .filter(thread -> LibraryApplication.class.getClassLoader().equals(thread.getContextClassLoader()))
                    .forEach(thread -> facts.add("thread:" + thread.getName()));
        } catch (RuntimeException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                facts.add("failure:" + cause.getMessage());
            }
        }
        return facts;
    }

    /** Tomcat sets them once in a JVM. */
    static void forgetHandlersOfUrls() throws ReflectiveOperationException {
        String factory = "org.apache.catalina.webresources.TomcatURLStreamHandlerFactory";
        ClassLoader loader = LibraryApplication.class.getClassLoader();
        if (ClassUtils.isPresent(factory, loader)) {
            Class.forName(factory, true, loader).getMethod("disable").invoke(null);
        }
    }

    private static void addTables(DataSource source, Set<String> facts) throws SQLException {
        try (Connection connection = source.getConnection();
                ResultSet tables = connection.getMetaData().getTables(null, null, "\\_credential%", null)) {
            while (tables.next()) {
                facts.add("table:" + tables.getString("TABLE_NAME"));
            }
        }
    }
}
