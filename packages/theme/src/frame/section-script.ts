/**
 * Runs in the head of every page if sections of the site share pages. A shared page contains its
 * header, sidebar and links once per section, in templates before the parts that they replace.
 * While the page is parsed, before the first paint, the script inserts the templates of the
 * reader's section. It remembers the shown section as long as the browser tab is open.
 */
export const SECTION_SCRIPT = [
  '{const d=document,e=d.documentElement,key="octavo-section",',
  'keys=d.currentScript.dataset.section?.split("\\n")??[];',
  'let chosen="";',
  // If storage is disabled, reading throws, and the page is shown in its default section.
  'try{chosen=sessionStorage.getItem(key)??""}catch{}',
  // Opening a tab without versions keeps the chosen version; choosing a version without tabs keeps
  // the tab.
  'const keep=k=>{const[v,...a]=k.split("›"),[w,...b]=chosen.split("›");',
  'chosen=[v||w,...a[0]?a:b].join("›");',
  'try{sessionStorage.setItem(key,chosen)}catch{}},',
  // Returns how similar a section is to the chosen one: the same version counts most, then the same
  // tab.
  'near=k=>{const a=k.split("›"),b=chosen.split("›");let i=1;',
  'while(i<a.length&&a[i]==b[i])i++;',
  'return(a[0]?a[0]==b[0]:i>1)?i+99:i},',
  'shown=keys.reduce((a,b)=>near(b)>near(a)?b:a,keys[0]),',
  'see=()=>{for(const t of d.querySelectorAll("template[data-section]")){',
  'if(t.dataset.section!=shown)continue;',
  'let x=t;',
  'if("adds"in t.dataset)t.after(t.content);else{',
  'do x=x.nextElementSibling;while(x&&x.matches("template[data-section]"));',
  // The part to replace has not been parsed yet.
  'if(!x)continue;x.replaceWith(t.content)}',
  // The template stays in place, so that `octavo dev` recognizes the page when a file is saved.
  't.dataset.section="";',
  'e.classList.toggle("oct-has-tabs",!!d.querySelector(".oct-tabbar"))}},',
  'm=new MutationObserver(see);',
  'm.observe(e,{childList:!0,subtree:!0});',
  'd.addEventListener("readystatechange",()=>{m.disconnect();see()},{once:!0});',
  // This event also occurs when the page is restored from the back/forward cache.
  'addEventListener("pageshow",()=>shown&&keep(shown));',
  // A link into a section opens the page in that section. Without scripts, the link leads to a page
  // that is listed only in that section.
  'd.addEventListener("click",x=>{const a=x.target.closest?.("a[data-section]");',
  'if(!a||x.ctrlKey||x.metaKey||x.shiftKey||x.altKey)return;',
  'x.preventDefault();keep(a.dataset.section);',
  'const u=a.dataset.url??a.pathname;',
  'u==location.pathname?location.reload():location=u})}',
].join('')

/**
 * The hash for `script-src` of the content security policy. A test checks that it matches the
 * script.
 */
export const SECTION_SCRIPT_HASH = 'sha256-albQc2CA5ttxO655uRsVCN0XdlR6PNOHA9b4BFt/QrI='
