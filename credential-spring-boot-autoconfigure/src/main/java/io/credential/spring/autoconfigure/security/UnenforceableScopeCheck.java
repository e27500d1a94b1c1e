package io.credential.spring.autoconfigure.security;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.credential.spring.autoconfigure.CredentialConfigurationException;
import io.credential.spring.security.RequiresScope;

/**
 * Stops the start when {@link RequiresScope} sits where no proxy can enforce it. Beans are looked at before they are
 * proxied, so that ours is the message that is read; those that nothing has created at the end of the start (lazy ones,
 * other scopes) are looked at by their type, and those that exist by then must have got their proxy.
 */
final class UnenforceableScopeCheck implements BeanPostProcessor, SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(UnenforceableScopeCheck.class);

    private final ConfigurableListableBeanFactory beans;
    private final EarlyBeanCheck early;
    private final Set<String> processed = ConcurrentHashMap.newKeySet();
    private final Set<Class<?>> checked = ConcurrentHashMap.newKeySet();
    private final Set<Class<?>> withoutDemand = ConcurrentHashMap.newKeySet();

    UnenforceableScopeCheck(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
        this.early = new EarlyBeanCheck(beans);
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        processed.add(beanName);
        check(bean.getClass(), beanName);
        return bean;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            if (!beans.containsSingleton(name)) {
                checkByType(name);
            } else if (demandsScope(name)) {
                early.check(name, processed.contains(name));
            }
        }
    }

    /** False when the class was looked at and found free of it. */
    private boolean demandsScope(String beanName) {
        Object bean = beans.getSingleton(beanName);
        return bean != null
                && (bean instanceof FactoryBean || !withoutDemand.contains(ClassUtils.getUserClass(bean.getClass())));
    }

    private void checkByType(String beanName) {
        try {
            Class<?> type = beans.getType(beanName, false);
            if (type != null) {
                check(type, beanName);
            }
        } catch (BeansException | LinkageError | IllegalStateException unresolvable) {
            // A bean that may never be created may lack classes; if it ever is created it is looked at again.
            LOG.debug("Not checked for @RequiresScope: bean '{}'", beanName, unresolvable);
        }
    }

    private void check(Class<?> beanType, String beanName) {
        if (isMadeOfInterfaces(beanType) || !AnnotationUtils.isCandidateClass(beanType, RequiresScope.class)) {
            return;
        }
        Class<?> type = ClassUtils.getUserClass(beanType);
        if (checked.add(type)) {
            boolean onType = requirementOn(type, beanName, type.getName());
            boolean demand = onType;
            for (Method method : ReflectionUtils.getAllDeclaredMethods(type)) {
                demand |= checkMethod(method, onType, type, beanName);
            }
            if (!demand) {
                withoutDemand.add(type);
            }
        }
    }

    /** Final by nature, and proxied by their interfaces. */
    private static boolean isMadeOfInterfaces(Class<?> type) {
        return Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type);
    }

    /** Whether the method itself demands a scope. */
    private static boolean checkMethod(Method method, boolean onType, Class<?> type, String beanName) {
        String place = ClassUtils.getQualifiedMethodName(method, method.getDeclaringClass());
        boolean onMethod = requirementOn(method, beanName, place);
        if ((onType || onMethod) && Modifier.isFinal(type.getModifiers())) {
            throw unenforceable(beanName, type.getName(), "the class is final");
        }
        int modifiers = method.getModifiers();
        if (onMethod && Modifier.isPrivate(modifiers)) {
            throw unenforceable(beanName, place, "the method is private");
        }
        if (onMethod && Modifier.isStatic(modifiers)) {
            throw unenforceable(beanName, place, "the method is static");
        }
        if ((onMethod || (onType && isOperation(method))) && Modifier.isFinal(modifiers)) {
            throw unenforceable(beanName, place, "the method is final");
        }
        if (isHiddenFrom(type, method) && (onMethod || requirementOn(method.getDeclaringClass(), beanName, place))) {
            throw unenforceable(
                    beanName, place, "the method is package-private, and " + type.getName() + " is in another package");
        }
        return onMethod;
    }

    /** A subclass in another package, which the proxy is, does not override it. */
    private static boolean isHiddenFrom(Class<?> type, Method method) {
        int visible = Modifier.PUBLIC | Modifier.PROTECTED | Modifier.PRIVATE | Modifier.STATIC;
        Class<?> declaring = method.getDeclaringClass();
        return (method.getModifiers() & visible) == 0
                && !(declaring.getPackageName().equals(type.getPackageName())
                        && Objects.equals(declaring.getClassLoader(), type.getClassLoader()));
    }

    /** What a class inherits from the framework is not what its annotation is about. */
    private static boolean isOperation(Method method) {
        String declaredBy = method.getDeclaringClass().getName();
        return !Modifier.isPrivate(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && !declaredBy.startsWith("java.")
                && !declaredBy.startsWith("org.springframework.");
    }

    private static boolean requirementOn(AnnotatedElement element, String beanName, String place) {
        if (!MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(RequiresScope.class)) {
            return false;
        }
        Set<String> scopes = ScopeRequirements.on(element);
        if (scopes.isEmpty() || scopes.stream().anyMatch(String::isBlank)) {
            throw unenforceable(beanName, place, "it names no scope, or a blank one");
        }
        return true;
    }

    private static CredentialConfigurationException unenforceable(String beanName, String place, String why) {
        return new CredentialConfigurationException(
                "@RequiresScope on " + place + " (bean '" + beanName + "') cannot be enforced: " + why + ".",
                "The check is made by a proxy, a subclass of the bean. Make the class and the method neither final nor"
                        + " private nor static, inherited ones protected or public, and name at least one scope; or demand the scope in the security chain"
                        + " with authorizeHttpRequests and ScopeAuthorizationManager.hasScope(..).");
    }
}
