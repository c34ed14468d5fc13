/**
 * Runs in the head of each page of a site in which several sections list the same page. Such a page
 * carries what is around it in each of them, in templates before the parts that they replace. The
 * script puts those of the reader's section in place while the page is parsed, before anything is
 * painted, and remembers the section that is shown for as long as the browser tab is open.
 */
export const SECTION_SCRIPT = [
  '{const d=document,e=d.documentElement,key="octavo-section",',
  'keys=d.currentScript.dataset.section?.split("\\n")??[];',
  'let chosen="";',
  // Storage that is switched off throws; then a page is shown in the section that its address opens.
  'try{chosen=sessionStorage.getItem(key)??""}catch{}',
  // A tab without versions keeps the version that was chosen, and a version without tabs keeps the tab.
  'const keep=k=>{const[v,...a]=k.split("›"),[w,...b]=chosen.split("›");',
  'chosen=[v||w,...a[0]?a:b].join("›");',
  'try{sessionStorage.setItem(key,chosen)}catch{}},',
  // How near a section is to the one that was chosen: the same version counts most, then the same tab.
  'near=k=>{const a=k.split("›"),b=chosen.split("›");let i=1;',
  'while(i<a.length&&a[i]==b[i])i++;',
  'return(a[0]?a[0]==b[0]:i>1)?i+99:i},',
  'shown=keys.reduce((a,b)=>near(b)>near(a)?b:a,keys[0]),',
  'see=()=>{for(const t of d.querySelectorAll("template[data-section]")){',
  'if(t.dataset.section!=shown)continue;',
  'let x=t;',
  'if("adds"in t.dataset)t.after(t.content);else{',
  'do x=x.nextElementSibling;while(x&&x.matches("template[data-section]"));',
  // The part that it replaces is not read yet.
  'if(!x)continue;x.replaceWith(t.content)}',
  // It stays where it is, so that `octavo dev` knows the page again when a file is saved.
  't.dataset.section="";',
  'e.classList.toggle("oct-has-tabs",!!d.querySelector(".oct-tabbar"))}},',
  'm=new MutationObserver(see);',
  'm.observe(e,{childList:!0,subtree:!0});',
  'd.addEventListener("readystatechange",()=>{m.disconnect();see()},{once:!0});',
  // Also when the reader comes back to a page that the browser has kept.
  'addEventListener("pageshow",()=>shown&&keep(shown));',
  // A link into a section opens the page there. Without script it leads to a page of this section only.
  'd.addEventListener("click",x=>{const a=x.target.closest?.("a[data-section]");',
  'if(!a||x.ctrlKey||x.metaKey||x.shiftKey||x.altKey)return;',
  'x.preventDefault();keep(a.dataset.section);',
  'const u=a.dataset.url??a.pathname;',
  'u==location.pathname?location.reload():location=u})}',
].join('')

/** For `script-src` of the content security policy. A test holds it to the text above. */
export const SECTION_SCRIPT_HASH = 'sha256-albQc2CA5ttxO655uRsVCN0XdlR6PNOHA9b4BFt/QrI='
